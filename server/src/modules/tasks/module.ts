import { seconds } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { tellClosing } from './closing.ts'
import { taskRoutes } from './routes.ts'
import { expireTasks } from './tasks.ts'
import { taskCountsWalk, tasksWalk } from './verify.ts'

export const tasks: Module = {
  tag: {
    name: 'tasks',
    description: 'The board: tasks, private bids on them, and the order that a selected bid becomes.',
  },
  routes: taskRoutes,
  sweeps: ({ sql, clock }) => [
    { name: 'tasks', everyMilliseconds: seconds(30), run: () => expireTasks(sql, clock.now()) },
    { name: 'tasks closing', everyMilliseconds: seconds(30), run: () => tellClosing(sql) },
  ],
  walks: [tasksWalk, taskCountsWalk],
}

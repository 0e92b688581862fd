/** Gets what a long command is doing, and how much of that step is done: `done` of `total`, in units of the step. */
export type Progress = (step: string, done: number, total: number) => void

/** Milliseconds between two lines: a command that takes less says nothing on its way. */
const pace = 3000

/** Writes a line now and then while a command takes long. */
export function tellProgress(write: (line: string) => void, now: () => number = () => performance.now()): Progress {
  let told = now()
  return (step, done, total) => {
    if (now() - told < pace) return
    told = now()
    write(`${step}: ${total === 0 ? 0 : Math.floor((done / total) * 100)} %`)
  }
}

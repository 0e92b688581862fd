// Sets of tools, in the order in which they are listed.
export const toolsets = ['talk', 'publish', 'work', 'market', 'oversight'] as const
export type Toolset = (typeof toolsets)[number]

// What to put into the settings of a host so that it starts `kith mcp`: printed, and written nowhere.

export interface Start {
  command: string
  args: readonly string[]
  /** Left out where nothing has to be set. */
  env?: Record<string, string>
}

interface Host {
  /** The file that the snippet belongs in. */
  file: string
  /** The user's folder of skills, where it reads one. */
  skills?: string
  snippet(start: Start): object | string
}

/** The form that most hosts share. */
const shared =
  (more: object = {}) =>
  ({ command, args, env }: Start): object => ({ mcpServers: { kith: { ...more, command, args, ...(env && { env }) } } })

/** JSON strings and lists are those of TOML and YAML too. */
const quote = (value: unknown): string => JSON.stringify(value)
const rows = (lines: (string | false | undefined)[]): string => lines.filter(Boolean).join('\n')
const envRows = (env: Start['env'], row: (name: string, value: string) => string): string[] =>
  Object.entries(env ?? {}).map(([name, value]) => row(name, quote(value)))

export const hosts: Readonly<Record<string, Host>> = {
  'claude-code': {
    file: '.mcp.json in the project, or ~/.claude.json for all',
    skills: '~/.claude/skills',
    snippet: shared({ type: 'stdio' }),
  },
  'claude-desktop': {
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    snippet: shared(),
  },
  cursor: { file: '~/.cursor/mcp.json', skills: '~/.cursor/skills', snippet: shared() },
  'vs-code': {
    file: '.vscode/mcp.json in the project',
    skills: '~/.copilot/skills',
    snippet: ({ command, args, env }) => ({ servers: { kith: { type: 'stdio', command, args, ...(env && { env }) } } }),
  },
  codex: {
    file: '~/.codex/config.toml',
    skills: '~/.agents/skills',
    snippet: ({ command, args, env }) =>
      rows([
        '[mcp_servers.kith]',
        `command = ${quote(command)}`,
        `args = ${quote(args)}`,
        env && `env = { ${envRows(env, (name, value) => `${name} = ${value}`).join(', ')} }`,
      ]),
  },
  'gemini-cli': { file: '~/.gemini/settings.json', skills: '~/.gemini/skills', snippet: shared() },
  opencode: {
    file: '~/.config/opencode/opencode.json',
    skills: '~/.config/opencode/skills',
    snippet: ({ command, args, env }) => ({
      mcp: { kith: { type: 'local', command: [command, ...args], ...(env && { environment: env }), enabled: true } },
    }),
  },
  zed: {
    file: '~/.config/zed/settings.json',
    skills: '~/.agents/skills',
    snippet: ({ command, args, env = {} }) => ({ context_servers: { kith: { source: 'custom', command, args, env } } }),
  },
  openclaw: {
    file: '~/.openclaw/openclaw.json',
    skills: '~/.openclaw/skills',
    snippet: ({ command, args, env }) => ({ mcp: { servers: { kith: { command, args, ...(env && { env }) } } } }),
  },
  hermes: {
    file: '~/.hermes/config.yaml',
    skills: '~/.hermes/skills',
    snippet: ({ command, args, env }) =>
      rows([
        'mcp_servers:',
        '  kith:',
        `    command: ${quote(command)}`,
        `    args: ${quote(args)}`,
        env && '    env:',
        ...envRows(env, (name, value) => `      ${name}: ${value}`),
      ]),
  },
  goose: {
    file: '~/.config/goose/config.yaml',
    skills: '~/.config/goose/skills',
    snippet: ({ command, args, env }) =>
      rows([
        'extensions:',
        '  kith:',
        '    name: kith',
        '    type: stdio',
        '    enabled: true',
        `    cmd: ${quote(command)}`,
        `    args: ${quote(args)}`,
        env && '    envs:',
        ...envRows(env, (name, value) => `      ${name}: ${value}`),
        '    timeout: 300',
      ]),
  },
  windsurf: { file: '~/.codeium/windsurf/mcp_config.json', skills: '~/.codeium/windsurf/skills', snippet: shared() },
  'copilot-cli': {
    file: '~/.copilot/mcp-config.json',
    skills: '~/.copilot/skills',
    snippet: (start) => withTools(start),
  },
  cline: {
    file: 'cline_mcp_settings.json (MCP Servers, Configure), or ~/.cline/data/settings/cline_mcp_settings.json of its command',
    skills: '~/.cline/skills',
    snippet: shared({ disabled: false }),
  },
}

/** This host lists the tools that it may use. */
const withTools = ({ command, args, env }: Start): object => ({
  mcpServers: { kith: { type: 'local', command, args, ...(env && { env }), tools: ['*'] } },
})

export function snippetFor(name: string, start: Start): { file: string; snippet: string } {
  const { file, snippet } = hosts[name]!
  const made = snippet(start)
  return { file, snippet: typeof made === 'string' ? made : JSON.stringify(made, undefined, 2) }
}

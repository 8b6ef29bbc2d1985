import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder for data of the current user, according to the conventions of each operating system. */
export const dataFolder = (name: string, { platform, env } = process): string => {
  switch (platform) {
    case 'win32':
      return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), name)
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', name)
    default:
      return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), name)
  }
}

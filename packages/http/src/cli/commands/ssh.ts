import { type AnyCommand, command } from '../command.ts'
import { sshKeyOptions, sshServeOptions } from '../options.ts'

/** Commands that OpenSSH starts. They read no environment variables, because clients can send some. */
export const sshCommands: readonly AnyCommand[] = [
  command({
    usage: 'ssh authorized-keys <account> <fingerprint> <type> <key>',
    description: 'print the line of a key of a user or a deploy key, for AuthorizedKeysCommand of sshd: %u %f %t %k',
    options: sshKeyOptions,
    readsEnvironment: false,
    examples: [
      'AuthorizedKeysCommand /usr/bin/forgelet ssh authorized-keys --data /srv/forge/forge.db %u %f %t %k',
      'forgelet ssh authorized-keys --account forge --config /etc/forgelet.json forge SHA256:… ssh-ed25519 AAAA…',
    ],
    load: async () => (await import('../ssh-authorized-keys.ts')).sshAuthorizedKeysCommand,
  }),
  command({
    usage: 'ssh serve',
    description:
      'serve the git command in SSH_ORIGINAL_COMMAND; sshd starts it as the lines of authorized-keys name it',
    options: sshServeOptions,
    readsEnvironment: false,
    examples: ['forgelet ssh serve --key SHA256:… --data /srv/forge/forge.db'],
    load: async () => (await import('../ssh-serve.ts')).sshServeCommand,
  }),
]

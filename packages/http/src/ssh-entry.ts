export { readHostKey } from './ssh/host-key.ts'
export { type RunningSshServer, type SshOptions, serveSsh } from './ssh/ssh-server.ts'

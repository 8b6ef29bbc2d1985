/** The oldest supported version of Node.js. */
const minimumVersion = [22, 18] as const

/** Fails with a clear message on an unsupported Node.js, where loading the native module would crash the process. */
export function assertNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > minimumVersion[0] || (major === minimumVersion[0] && minor >= minimumVersion[1])) return
  throw new Error(
    `Forgelet needs Node.js ${minimumVersion.join('.')} or newer; this is ${version}. Install a current Node.js and try again.`,
  )
}

/** The oldest Node this package runs on. */
const oldest = [22, 18] as const

/** Says plainly that Node is too old, before a native module would end the process without a word. */
export function requireNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return
  throw new Error(
    `Forgelet needs Node.js ${oldest.join('.')} or newer; this is ${version}. Install a current Node.js and try again.`,
  )
}

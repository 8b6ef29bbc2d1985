import { type Collector, LockFileError } from './locked-package.ts'

const linesOf = (text: string): string[] => text.split(/\r?\n/)

/** Sources of packages in a `Gemfile.lock`. Packages are four columns deep, and what they require six. */
const gemSections: ReadonlySet<string> = new Set(['GEM', 'GIT', 'PATH', 'PLUGIN SOURCE'])

/** `Gemfile.lock`. Versions of platforms, such as `1.15.0-x86_64-linux`, are kept as they are. */
export const readBundler = (text: string, to: Collector): void => {
  let isSource = false
  let hasSection = false
  for (const line of linesOf(text)) {
    if (/^[<>=]{7}/.test(line)) throw new LockFileError('has conflict markers')
    if (/^\S/.test(line)) {
      isSource = gemSections.has(line.trimEnd())
      hasSection ||= isSource || /^[A-Z][A-Z ]+$/.test(line.trimEnd())
    }
    const [, name, version] = isSource ? (/^ {4}([^\s()]+) \(([^\s()]+)\)$/.exec(line) ?? []) : []
    if (name !== undefined) to.add(name, version)
  }
  if (!hasSection && text.trim() !== '') throw new LockFileError('has no section of a Gemfile.lock')
}

/** A name with its extras, and the rest of a requirement: PEP 508. */
const requirement = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/

/** A version that is pinned: `==1.2.0`. */
const pinned = /^\(?===?\s*([^\s,;)]+)\)?$/

/**
 * `requirements.txt`: lines with a name. Only pinned versions are known. Options, other files and addresses are left out.
 *
 * @throws LockFileError for lines that are nothing of this
 */
export const readRequirements = (text: string, to: Collector): void => {
  const isIgnored = (line: string) => line === '' || line.startsWith('-') || /^[\w+.-]*:\/\/|^[./]|^git\+/.test(line)
  for (const [index, line] of linesOf(text.replaceAll(/\\\r?\n/g, ' ')).entries()) {
    const content = line.replace(/(?:^|\s)#.*$/, '').trim()
    if (isIgnored(content)) continue
    const [, name, rest = ''] = requirement.exec(content) ?? []
    // Hashes and markers follow the version.
    const [versions = ''] = rest.split(/;|\s--/)
    const isRequirement = /^(?:|[@(<>=!~].*)$/.test(versions.trim())
    if (name === undefined || !isRequirement) throw new LockFileError(`has no requirement in line ${index + 1}`)
    to.add(name, pinned.exec(versions.trim())?.[1])
  }
}

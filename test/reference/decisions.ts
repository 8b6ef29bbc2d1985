import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'decisions')

/** The list of all decisions: each with its title, its status, and the question that it answers. */
export function decisionsPage(): string {
  const rows = readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const title = /^# \d+\. (.+)$/m.exec(text)?.[1]
      const status = /^\*\*Status:\*\* (.+)$/m.exec(text)?.[1] ?? '–'
      return `| ${name.slice(0, 4)} | [${title}](${name}) | ${status} |`
    })
  return `# Decisions

Why it is made this way: each page has the question, the answer, what else there was, and what follows. A decision that is changed
gets a new page, and the old one says so. This list is generated (\`pnpm docs:reference\`); a test keeps it up to date.

| No. | Decision | Status |
| --- | --- | --- |
${rows.join('\n')}
`
}

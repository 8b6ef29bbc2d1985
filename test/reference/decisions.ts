import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'decisions')

/** The index page of all decisions, with their titles and statuses. */
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

Each page records one design decision: its context, the decision, the alternatives and the consequences. A changed decision
gets a new page, and the status of the old page refers to it. \`pnpm docs:reference\` generates this list, and a test checks that it
is up to date.

| No. | Decision | Status |
| --- | --- | --- |
${rows.join('\n')}
`
}

import { Gitlab } from '@gitbeaker/rest'

/** Label names, each with the pattern of the issues that get the label. */
export type Rules = Readonly<Record<string, RegExp>>

const defaultRules: Rules = {
  bug: /\b(crash|broken|error|leak)/i,
  feature: /\b(please add|would be nice|wish)/i,
}

interface Target {
  /** Base URL: `https://gitlab.example`. */
  readonly host: string
  readonly token: string
  /** Full path. */
  readonly project: string
}

/**
 * Labels the open issues without a label, and comments on each.
 *
 * @returns one line per labeled issue
 */
export async function labelIssues({ host, token, project }: Target, rules: Rules = defaultRules): Promise<string[]> {
  const api = new Gitlab({ host, token })
  const existing = new Set((await api.ProjectLabels.all(project)).map(({ name }) => name))
  const lines: string[] = []
  for (const { iid, title, description, labels } of await api.Issues.all({ projectId: project, state: 'opened' })) {
    if (labels?.length) continue
    const matches = Object.keys(rules).filter((name) => rules[name]?.test(`${title}\n${description ?? ''}`))
    if (!matches.length) continue
    for (const name of matches) {
      if (!existing.has(name)) await api.ProjectLabels.create(project, name, '#6699cc')
      existing.add(name)
    }
    await api.Issues.edit(project, iid, { addLabels: matches.join(',') })
    await api.IssueNotes.create(project, iid, `Added labels: ${matches.join(', ')}. Remove them if they are wrong.`)
    lines.push(`#${iid} ${title}: ${matches.join(', ')}`)
  }
  return lines
}

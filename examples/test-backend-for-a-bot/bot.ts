import { Gitlab } from '@gitbeaker/rest'

/** Which words in an issue call for which label. */
export type Rules = Readonly<Record<string, RegExp>>

const rules: Rules = {
  bug: /\b(crash|broken|error|leak)/i,
  feature: /\b(please add|would be nice|wish)/i,
}

interface Target {
  /** Where the forge is: `https://gitlab.example`. */
  readonly host: string
  readonly token: string
  /** The full path of a project. */
  readonly project: string
}

/**
 * Labels the open issues that have no label yet, and says so on each.
 *
 * @returns what it did: one line an issue
 */
export async function labelIssues({ host, token, project }: Target, wanted: Rules = rules): Promise<string[]> {
  const api = new Gitlab({ host, token })
  const known = new Set((await api.ProjectLabels.all(project)).map(({ name }) => name))
  const lines: string[] = []
  for (const { iid, title, description, labels } of await api.Issues.all({ projectId: project, state: 'opened' })) {
    if (labels?.length) continue
    const fitting = Object.keys(wanted).filter((name) => wanted[name]?.test(`${title}\n${description ?? ''}`))
    if (!fitting.length) continue
    for (const name of fitting) {
      if (!known.has(name)) await api.ProjectLabels.create(project, name, '#6699cc')
      known.add(name)
    }
    await api.Issues.edit(project, iid, { addLabels: fitting.join(',') })
    await api.IssueNotes.create(project, iid, `I have labelled this ${fitting.join(', ')}. Take it off if I am wrong.`)
    lines.push(`#${iid} ${title}: ${fitting.join(', ')}`)
  }
  return lines
}

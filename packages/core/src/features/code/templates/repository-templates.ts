import type { OpenedRepository } from '../repository/opened-repository.ts'
import { findTip } from '../repository/opened-repository.ts'
import {
  type RepositoryTemplateKind,
  repositoryTemplateFolders,
  type Template,
  type TemplateSummary,
} from './template.ts'

/** Bytes of one template: as many as an issue can have. */
const maxBytes = 1_000_000
/** Templates of a folder. */
const maxEntries = 1_000
const extension = '.md'

const readFolder = async (opened: OpenedRepository | undefined, kind: RepositoryTemplateKind) => {
  const commit = opened && (await findTip(opened))
  if (opened === undefined || commit === undefined) return []
  const { repository, abortable } = opened
  const path = repositoryTemplateFolders[kind]
  const page = await repository.tree({ commit, path, limit: maxEntries, ...abortable })
  return (page?.entries ?? []).filter(
    ({ type, mode, name }) => type === 'blob' && mode !== '120000' && name.endsWith(extension),
  )
}

const toName = (fileName: string) => fileName.slice(0, -extension.length)

/** The templates in the default branch, by name. */
export async function listRepositoryTemplates(
  opened: OpenedRepository | undefined,
  kind: RepositoryTemplateKind,
): Promise<TemplateSummary[]> {
  const entries = await readFolder(opened, kind)
  return entries.map(({ name }) => ({ key: toName(name), name: toName(name) }))
}

/** A template in the default branch; undefined for an unknown one. */
export async function readRepositoryTemplate(
  opened: OpenedRepository | undefined,
  kind: RepositoryTemplateKind,
  key: string,
): Promise<Template | undefined> {
  const entry = (await readFolder(opened, kind)).find(({ name }) => name === `${key}${extension}`)
  const blob = entry && (await opened?.repository.blob(entry.id, { maximumBytes: maxBytes }))
  return blob && { name: key, content: Buffer.from(blob.content).toString('utf8') }
}

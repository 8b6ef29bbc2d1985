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

interface TemplateFolder {
  readonly path: string
  /** End of the names of templates. */
  readonly extension: string
}

/** A file of a folder, without its extension. */
interface TemplateEntry {
  readonly name: string
  /** Id of the object with the text. */
  readonly blob: string
}

/** The templates of a folder of the default branch, by name. */
export const listFolder = async (
  opened: OpenedRepository | undefined,
  { path, extension }: TemplateFolder,
): Promise<readonly TemplateEntry[]> => {
  const commit = opened && (await findTip(opened))
  if (opened === undefined || commit === undefined) return []
  const { repository, abortable } = opened
  const page = await repository.tree({ commit, path, limit: maxEntries, ...abortable })
  return (page?.entries ?? [])
    .filter(({ type, mode, name }) => type === 'blob' && mode !== '120000' && name.endsWith(extension))
    .map(({ id, name }) => ({ name: name.slice(0, -extension.length), blob: id }))
}

/** The text of a template; undefined if it was removed since. */
export const readEntry = async (
  { repository }: Pick<OpenedRepository, 'repository'>,
  id: string,
): Promise<string | undefined> => {
  const blob = await repository.blob(id, { maximumBytes: maxBytes })
  return blob && Buffer.from(blob.content).toString('utf8')
}

const toFolder = (kind: RepositoryTemplateKind) => ({ path: repositoryTemplateFolders[kind], extension: '.md' })

/** The templates in the default branch, by name. */
export async function listRepositoryTemplates(
  opened: OpenedRepository | undefined,
  kind: RepositoryTemplateKind,
): Promise<TemplateSummary[]> {
  const entries = await listFolder(opened, toFolder(kind))
  return entries.map(({ name }) => ({ key: name, name }))
}

/** A template in the default branch; undefined for an unknown one. */
export async function readRepositoryTemplate(
  opened: OpenedRepository | undefined,
  kind: RepositoryTemplateKind,
  key: string,
): Promise<Template | undefined> {
  const entry = (await listFolder(opened, toFolder(kind))).find(({ name }) => name === key)
  const content = entry && opened && (await readEntry(opened, entry.blob))
  return content === undefined ? undefined : { name: key, content }
}

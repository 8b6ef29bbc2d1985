import * as v from 'valibot'
import { findProject } from '../../../access/projects.ts'
import { container, namespace, parentGroup, project } from '../../../access/subjects.ts'
import type { Namespace } from '../../../contract/namespace.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { command, query } from '../../../kernel/operation.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { createGroup } from '../../spaces/groups/create-group.ts'
import { assertValidNames } from '../../spaces/groups/names.ts'
import { createProject } from '../../spaces/projects/create-project.ts'
import { overrideInput, splitOverrides } from '../../spaces/projects/details-input.ts'
import type { ImportDetails, ImportOptions } from '../archives/archive.ts'
import { readImportDetails } from '../archives/queries.ts'
import { fileInput, storeImport } from './import-file.ts'

/** The existing project that an import replaces; undefined for a free path. */
const findReplaced = async (ctx: Context, { fullPath }: Namespace, path: string, overwrite: boolean) => {
  const existing = overwrite ? await findProject(ctx, `${fullPath}/${path}`) : undefined
  if (existing === undefined) {
    await assertPathAvailable(ctx, `${fullPath}/${path}`)
    return undefined
  }
  assertAbility(ctx.actor, await loadVisible(ctx, project, { project: existing.id }), 'project.remove')
  return { projectId: existing.id, path }
}

/** The path of a project until it replaces another one. */
const createTemporaryPath = (ctx: Context, path: string) =>
  `${path.slice(0, 200)}-import-${Buffer.from(ctx.ports.random.bytes(8)).toString('hex')}`

/** Creates projects and groups from archives of `exports`. */
export const importOperations = {
  /**
   * Creates a project from an archive. A job adds the content; until it has `finished`, the project contains a part of it, and only
   * the importer and administrators see it. Users of the archive are recognized by e-mail address and username if an administrator
   * imports; otherwise the importer is the author of everything.
   *
   * @throws PlatformError `invalid` for a file that is too large or no archive, `conflict` when the path is taken
   */
  createProject: command({
    on: namespace,
    can: 'project.import',
    serializes: 'instance',
    input: {
      ...fileInput,
      /** Last segment of the URL of the new project. */
      path: v.string(),
      /** Name for display, 1 to 255 characters. Default: the path. */
      name: v.optional(v.string()),
      /** Whether to replace a project with the same path, when the import succeeds. Default: false. */
      overwrite: v.optional(v.boolean(), false),
      /** Fields and settings of the project that replace those of the archive. The visibility applies from the start. */
      overrideParams: v.optional(overrideInput, {}),
    },
    async run(ctx, input, { namespace }): Promise<Deferred<ImportDetails>> {
      const { path, name = path, overwrite, overrideParams, ...file } = input
      assertValidNames({ name, path })
      await findReplaced(ctx, namespace, path, overwrite)
      return storeImport(ctx, file, async (ctx, creatorId) => {
        const replaces = await findReplaced(ctx, namespace, path, overwrite)
        const created = await createProject(ctx, namespace, {
          visibility: overrideParams.visibility ?? 'private',
          description: overrideParams.description,
          name,
          path: replaces ? createTemporaryPath(ctx, path) : path,
          settings: { importStatus: 'scheduled', importType: 'gitlab_project' },
          creatorId,
          importerId: creatorId,
        })
        const options: ImportOptions = {
          overrides: splitOverrides(overrideParams),
          ...(replaces && { replaces }),
        }
        return { container: { kind: 'project', project: created, access: 0 }, options }
      })
    },
  }),

  /**
   * Creates a group from an archive, at the top level or in a parent group. A job adds the content and the subgroups; until it has
   * `finished`, the group contains a part of them, and only the importer and administrators see it.
   *
   * @throws PlatformError `invalid` for a file that is too large or no archive, `conflict` when the path is taken
   */
  createGroup: command({
    on: parentGroup,
    can: 'group.create',
    serializes: 'instance',
    input: {
      ...fileInput,
      /** Last segment of the full path of the new group. */
      path: v.string(),
      /** Display name: not blank, at most 255 characters. */
      name: v.string(),
    },
    async run(ctx, { path, name, ...file }, subject): Promise<Deferred<ImportDetails>> {
      assertValidNames({ name, path })
      const parent = subject.kind === 'group' ? subject.group : undefined
      await assertPathAvailable(ctx, parent ? `${parent.fullPath}/${path}` : path)
      return storeImport(ctx, file, async (ctx, ownerId) => {
        const group = await createGroup(ctx, parent, {
          name,
          path,
          visibility: 'private',
          ownerId,
          importerId: ownerId,
        })
        return { container: { kind: 'group', group, access: 0, hasVisibleProject: false }, options: {} }
      })
    },
  }),

  /** Gets the state of the import that created a project or a group. */
  get: query({
    on: container,
    can: 'archive.readImport',
    run: (ctx, _input, subject): Promise<ImportDetails> => readImportDetails(ctx, subject),
  }),
}

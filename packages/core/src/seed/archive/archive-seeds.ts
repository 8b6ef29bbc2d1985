import type { ArchiveSeeds, ArchiveSteps, ArchiveTarget } from '../../contract/archive-data.ts'
import type { Context } from '../../kernel/context.ts'
import type { Platform } from '../../platform-interface.ts'
import type { Exporter } from '../export/exporter.ts'
import { parseData, toItemError } from '../parse.ts'
import { createSeeder, type Seeder } from '../seeder.ts'
import { addGroupContent, exportGroupContent } from './group-content.ts'
import { GroupContent } from './group-schema.ts'
import { addProjectContent, exportProjectContent } from './project-content.ts'
import { ProjectContent } from './project-schema.ts'

/** Platforms that use one open transaction. */
export interface JoinedTransaction {
  readonly platform: Platform
  /** The same platform with a fixed clock, in milliseconds since 1970. */
  at(now: number): Platform
  /** Work as the host. */
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/** The parts of a platform that archives require. */
export interface ArchivePlatform {
  readonly as: Platform['as']
  /** Runs work in one transaction, which excludes all other commands. */
  inTransaction<T>(work: (transaction: JoinedTransaction) => Promise<T>): Promise<T>
}

/** See `ArchiveSeeds`. */
export const createArchiveSeeds = ({ as, inTransaction }: ArchivePlatform): ArchiveSeeds => {
  const add = (name: string, addContent: (seeder: Seeder) => Promise<void>, steps: ArchiveSteps): Promise<void> =>
    inTransaction(async ({ platform, at, write }) => {
      const seeder = createSeeder(
        platform,
        at,
        {},
        {
          existing: 'reject',
          neededVisibility: () => undefined,
          onProgress: () => undefined,
        },
      )
      await write((ctx) => steps.before(ctx))
      try {
        await addContent(seeder)
      } catch (error) {
        throw toItemError(name, error)
      }
      await write((ctx) => steps.after(ctx))
    })

  return {
    async read(container) {
      const omitted = new Set<string>()
      const exporter: Exporter = {
        host: as({ system: 'export' }),
        asUser: (user) => as({ user }),
        omit: (text) => void omitted.add(text),
        // Epics belong to groups.
        epicTitles: new Map(),
      }
      const content =
        'project' in container
          ? await exportProjectContent(exporter, container.project)
          : await exportGroupContent(exporter, container.group)
      return { content, omitted: [...omitted] }
    },
    parse(kind, value) {
      if (kind === 'project') {
        const content = parseData(ProjectContent, kind, value)
        return {
          users: content.users,
          defaultBranch: content.defaultBranch,
          add: (target: ArchiveTarget, steps) =>
            add(kind, (seeder) => addProjectContent(seeder, content, target), steps),
        }
      }
      const content = parseData(GroupContent, kind, value)
      return {
        users: content.users,
        add: (target, steps) => add(kind, (seeder) => addGroupContent(seeder, content, target), steps),
      }
    },
  }
}

import type { ArchiveSeeds, ArchiveSteps } from '../../contract/archive-data.ts'
import type { Exporter } from '../export/exporter.ts'
import { parseData, toItemError } from '../parse.ts'
import { createSeeder, type Seeder } from '../seeder.ts'
import type { ArchivePlatform } from './archive-platform.ts'
import { addGroupContent, exportGroupContent } from './group-content.ts'
import { GroupContent } from './group-schema.ts'
import { createParts } from './import-parts.ts'
import { addProjectContent, exportProjectContent } from './project-content.ts'
import { ProjectContent } from './project-schema.ts'

/** See `ArchiveSeeds`. */
export const createArchiveSeeds = ({ as, inTransaction }: ArchivePlatform): ArchiveSeeds => {
  const add = async (
    name: string,
    addContent: (seeder: Seeder) => Promise<void>,
    steps: ArchiveSteps,
  ): Promise<void> => {
    const parts = createParts(inTransaction, steps.signal)
    await parts.run(async () => {
      const seeder = createSeeder(
        (now) => parts.current().at(now),
        {},
        {
          existing: 'reject',
          neededVisibility: () => undefined,
          onProgress: () => undefined,
          endStep: parts.endStep,
        },
      )
      await parts.current().write((ctx) => steps.before(ctx))
      try {
        await addContent(seeder)
      } catch (error) {
        throw toItemError(name, error)
      }
      await parts.current().write((ctx) => steps.after(ctx))
    })
  }

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
          add: (target, steps) => add(kind, (seeder) => addProjectContent(seeder, content, target), steps),
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

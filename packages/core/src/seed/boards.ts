import * as v from 'valibot'
import { namedIn } from './identity.ts'
import { type SectionParent, toParentInput } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const Board = v.strictObject({
  /** 1 to 255 characters. */
  name: v.string(),
  /** Names of labels, each of which gets a list; from left to right. */
  labels: v.optional(v.array(v.string()), []),
  createdAt: Timestamp,
})

/** Issue boards of a project or a group, recognized by their names. */
export const boardsSection = defineSection(
  'boards',
  Board,
  async (seeder: Seeder, { createdAt, name, labels }, parent: SectionParent) => {
    const at = toParentInput(parent)
    const { id } = await seeder.asHost(createdAt).boards.create({ ...at, name })
    for (const label of labels) {
      const host = seeder.asHost(createdAt)
      const { id: labelId } = await host.labels.get({ ...at, name: label })
      await host.boardLists.create({ ...at, board: id, labelId })
      await seeder.endStep()
    }
    seeder.record('boards', `${parent.path} ${name}`, { id })
  },
  namedIn(
    (host) => host.boards,
    ({ name }) => name.trim(),
  ),
)

import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { reload } from '../../planning/epics/mutations.ts'
import { setParent as setParentOf } from '../../planning/epics/parent.ts'
import { epic } from '../../planning/epics/subject.ts'
import { onEpic } from './handler.ts'
import { findReferences } from './references.ts'
import { notApplicableError } from './target.ts'

type EpicSubject = Subjects['epic']

/** The first epic of an argument; `&1` is one of the group. */
export const findEpic = (ctx: Context, argument: string, groupId: number): Promise<EpicSubject> => {
  const [reference] = findReferences(ctx, argument)
  if (reference?.kind !== 'epic') throw notApplicableError()
  return loadVisible(ctx, epic, { group: reference.group ?? groupId, epic: Number(reference.value) })
}

const updateParent = async (ctx: Context, child: EpicSubject, parentId: number | null) => {
  assertAbility(ctx.actor, child, 'epic.update')
  await setParentOf(ctx, child.epic, parentId)
}

export const addChild = onEpic(async (ctx, target, argument) => {
  const child = await findEpic(ctx, argument, target.group.id)
  await updateParent(ctx, child, target.epic.id)
  return { changes: {}, message: `Added ${argument} as a child epic.` }
})

export const removeChild = onEpic(async (ctx, target, argument) => {
  const child = await findEpic(ctx, argument, target.group.id)
  if ((await reload(ctx, child.epic)).parent?.id !== target.epic.id) throw notApplicableError()
  assertAbility(ctx.actor, target, 'epic.update')
  await updateParent(ctx, child, null)
  return { changes: {}, message: `Removed ${argument} from child epics.` }
})

export const setParent = onEpic(async (ctx, target, argument) => {
  const { epic: parent } = await findEpic(ctx, argument, target.group.id)
  await updateParent(ctx, target, parent.id)
  return { changes: {}, message: `Set ${argument} as parent epic.` }
})

export const removeParent = onEpic(async (ctx, target, _argument, current) => {
  if (!current.parent) throw notApplicableError()
  await updateParent(ctx, target, null)
  return { changes: {}, message: 'Removed parent epic.' }
})

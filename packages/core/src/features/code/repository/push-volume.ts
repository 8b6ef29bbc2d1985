import type { PushVolume } from '../../../contract/push-volume.ts'
import type { PushRecord } from './push.ts'

/** GitLab's defaults of `push_event_activities_limit` and `push_event_hooks_limit`: changes of one kind in a push. */
const activitiesLimit = 3
const hooksLimit = 3

/** Branches and tags of one push that get pipelines, as in GitLab. */
const pipelinesLimit = 4

/** The volume of each change of one push. New, moved and removed branches and tags are six kinds. */
export const measurePushes = (pushes: readonly PushRecord[]): readonly PushVolume[] => {
  const kindOf = ({ refType, action }: PushRecord) => `${refType} ${action}`
  const kinds = Map.groupBy(pushes, kindOf)
  return pushes.map((push, index) => {
    const alike = kinds.get(kindOf(push)) ?? [push]
    const isFirst = alike[0] === push
    return {
      activityCount: alike.length <= activitiesLimit ? 1 : isFirst ? alike.length : 0,
      sendsHooks: alike.length <= hooksLimit,
      createsPipeline: index < pipelinesLimit,
    }
  })
}

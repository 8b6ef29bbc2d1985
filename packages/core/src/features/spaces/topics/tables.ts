import type { Generated } from 'kysely'

export interface TopicTables {
  topic: {
    id: Generated<number>
    /** Unique regardless of case. */
    name: string
    title: string
    description: string | null
    avatarUrl: string | null
    createdAt: string
  }
  /** The topics of projects. Projects list their names in the setting `tagList`, which reactions copy here. */
  projectTopic: { projectId: number; topicId: number }
}

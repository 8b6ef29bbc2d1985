import type { Generated } from 'kysely'
import type { RunnerAccessLevel, RunnerType } from './runner.ts'

export interface RunnerTables {
  /** A program that requests jobs with its token. */
  runner: {
    id: Generated<number>
    runnerType: RunnerType
    /** The group of a runner of type `group_type`; null for others. */
    groupId: number | null
    /** SHA-256 of the authentication token, in hexadecimal; the token itself is not stored. */
    digest: string
    tokenExpiresAt: string | null
    description: string | null
    maintenanceNote: string | null
    paused: boolean
    locked: boolean
    runUntagged: boolean
    accessLevel: RunnerAccessLevel
    /** Seconds. */
    maximumTimeout: number | null
    /** What the runner says about itself: name, version, revision, platform, architecture. */
    name: string | null
    version: string | null
    revision: string | null
    platform: string | null
    architecture: string | null
    ipAddress: string | null
    /** When the runner last sent a request with its token; to the minute. */
    contactedAt: string | null
    creatorId: number | null
    createdAt: string
    updatedAt: string
  }
  /** The projects of a runner of type `project_type`; the one with the lowest id owns it. */
  runnerProject: { id: Generated<number>; runnerId: number; projectId: number }
  runnerTag: { runnerId: number; name: string }
}

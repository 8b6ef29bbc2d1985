import * as v from 'valibot'
import { featureLevels } from '../../../access/levels.ts'

const FeatureLevel = v.picklist(featureLevels)

/** Who can use the features of a project. */
export const featureSettings = {
  /** Who can use the wiki: `enabled` everyone who sees the project, `private` members, `disabled` no one. */
  wikiAccessLevel: FeatureLevel,
  /**
   * Who can see pipelines, jobs, logs, artifacts and schedules: `enabled` everyone who sees the project, `private` members, `disabled`
   * no one, and no pipelines are created. See `publicJobs`.
   */
  buildsAccessLevel: FeatureLevel,
  /** Who can fork: `enabled` everyone who sees the code, `private` members, `disabled` no one. */
  forkingAccessLevel: FeatureLevel,
  /**
   * Who can see the site of the project: `enabled` those who see the project, `private` members, `public` everyone. `disabled` turns off
   * the site and Pages domains.
   */
  pagesAccessLevel: v.picklist([...featureLevels, 'public']),
  /** Who can see releases: `enabled` everyone who sees the code, `private` members who do, `disabled` no one. */
  releasesAccessLevel: FeatureLevel,
  /** Who can see environments and deployments: `enabled` and `private` reporters and above, `disabled` no one. */
  environmentsAccessLevel: FeatureLevel,
  /**
   * Who can read packages: `enabled` everyone who sees the project, in a private project reporters and above; `private` members,
   * `public` everyone who sees the project, `disabled` no one.
   */
  packageRegistryAccessLevel: v.picklist([...featureLevels, 'public']),
  /**
   * Who can read images: `enabled` everyone who sees the project, in a private project reporters and above; `private` members,
   * `disabled` no one. `disabled` hides the repositories of the registry and pauses clean-up.
   */
  containerRegistryAccessLevel: FeatureLevel,
  /** Who can see dependencies: `enabled` everyone who sees the code, `private` members who do, `disabled` no one. */
  securityAndComplianceAccessLevel: FeatureLevel,
  /** Who can use error tracking: `enabled` and `private` as their role allows, `disabled` no one. */
  monitorAccessLevel: FeatureLevel,
  /** Who can use feature flags: `enabled` and `private` as their role allows, `disabled` no one, and no application. */
  featureFlagsAccessLevel: FeatureLevel,
  /** Who can see analytics. Stored only: the platform has no analytics of projects. */
  analyticsAccessLevel: FeatureLevel,
  /** Who can see infrastructure. Stored only: the platform has no clusters and no states of infrastructure. */
  infrastructureAccessLevel: FeatureLevel,
  /** Who can see experiments with models. Stored only: the platform has none. */
  modelExperimentsAccessLevel: FeatureLevel,
  /** Who can see the model registry. Stored only: the platform has none. */
  modelRegistryAccessLevel: FeatureLevel,
  /** Who can see requirements. Stored only: the platform has none. */
  requirementsAccessLevel: FeatureLevel,
}

const FeatureSettingsSchema = v.object(featureSettings)
export type FeatureSettings = v.InferOutput<typeof FeatureSettingsSchema>

export const featureDefaults: FeatureSettings = {
  wikiAccessLevel: 'enabled',
  buildsAccessLevel: 'enabled',
  forkingAccessLevel: 'enabled',
  pagesAccessLevel: 'enabled',
  releasesAccessLevel: 'enabled',
  environmentsAccessLevel: 'enabled',
  packageRegistryAccessLevel: 'enabled',
  containerRegistryAccessLevel: 'enabled',
  securityAndComplianceAccessLevel: 'enabled',
  monitorAccessLevel: 'enabled',
  featureFlagsAccessLevel: 'enabled',
  analyticsAccessLevel: 'enabled',
  infrastructureAccessLevel: 'enabled',
  modelExperimentsAccessLevel: 'enabled',
  modelRegistryAccessLevel: 'enabled',
  requirementsAccessLevel: 'enabled',
}

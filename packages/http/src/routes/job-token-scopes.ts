import {
  type AllowedGroup,
  type AllowedProject,
  features,
  type GroupReference,
  type JobTokenScope,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, Url } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { BasicProjectWire } from '../shapes/project.ts'

const { jobTokenScopes } = features

const JobTokenScopeWire = wire<JobTokenScope>('JobTokenScope')({
  inbound_enabled: v.boolean(),
  outbound_enabled: v.literal(false),
})

const AllowedProjectWire = wire<AllowedProject>('AllowedProject')({
  source_project_id: Integer,
  target_project_id: Integer,
})

const AllowedGroupWire = wire<AllowedGroup>('AllowedGroup')({
  source_project_id: Integer,
  target_group_id: Integer,
})

const GroupReferenceWire = wire<GroupReference>('GroupReference')({
  id: Integer,
  name: v.string(),
  /** URL of the group's page. */
  web_url: computed(Url, ({ fullPath }: GroupReference, { url }: Site) => `${url}/groups/${fullPath}`),
})

const base = '/projects/:id/job_token_scope'
const projectsPath = `${base}/allowlist` as const
const groupsPath = `${base}/groups_allowlist` as const
const extension = { extension: true } satisfies RouteOptions
const projectOptions = { ...extension, names: { target_project_id: 'targetProject' } } satisfies RouteOptions
const groupOptions = { ...extension, names: { target_group_id: 'targetGroup' } } satisfies RouteOptions

export const jobTokenScopeRoutes = [
  route(`GET ${base}`, jobTokenScopes.get, one(JobTokenScopeWire), extension),
  route(`PATCH ${base}`, jobTokenScopes.update, empty(), extension),
  route(`GET ${projectsPath}`, jobTokenScopes.listProjects, page(BasicProjectWire), extension),
  route(`POST ${projectsPath}`, jobTokenScopes.addProject, one(AllowedProjectWire), projectOptions),
  route(`DELETE ${projectsPath}/:target_project_id`, jobTokenScopes.removeProject, empty(), projectOptions),
  route(`GET ${groupsPath}`, jobTokenScopes.listGroups, page(GroupReferenceWire), extension),
  route(`POST ${groupsPath}`, jobTokenScopes.addGroup, one(AllowedGroupWire), groupOptions),
  route(`DELETE ${groupsPath}/:target_group_id`, jobTokenScopes.removeGroup, empty(), groupOptions),
]

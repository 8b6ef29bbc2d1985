import { features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { EpicDetailsWire, EpicWire } from '../shapes/epic.ts'
import { epicPage } from '../shapes/issuable-pages.ts'

const { childEpics, epics } = features

const base = '/groups/:id/epics'
const extension = { extension: true } satisfies RouteOptions

/** Clients set fixed dates by these names. */
const renameDates: RouteOptions['rewrite'] = ({ start_date_fixed: start, due_date_fixed: due, ...others }) => ({
  ...(start !== undefined && { start_date: start }),
  ...(due !== undefined && { due_date: due }),
  ...others,
})

const text = (description: string) => v.optional(v.pipe(v.string(), v.description(description)))

const dateOptions = {
  rewrite: renameDates,
  wireParameters: {
    start_date_fixed: text('The same as `start_date`.'),
    due_date_fixed: text('The same as `due_date`.'),
  },
} satisfies RouteOptions

const epicOptions = { ...extension, names: { epic_iid: 'epic' } } satisfies RouteOptions

const children = `${base}/:epic_iid/epics` as const
const childOptions = {
  ...extension,
  names: { ...epicOptions.names, child_epic_id: 'childEpic' },
} satisfies RouteOptions

export const epicRoutes = [
  route(`GET ${base}`, epics.list, epicPage, extension),
  route(`POST ${base}`, epics.create, one(EpicWire), {
    ...extension,
    ...dateOptions,
    hidden: ['author', 'parent'],
  }),
  route(`GET ${base}/:epic_iid`, epics.get, one(EpicDetailsWire), epicOptions),
  route(`PUT ${base}/:epic_iid`, epics.update, one(EpicWire), { ...epicOptions, ...dateOptions }),
  route(`DELETE ${base}/:epic_iid`, epics.remove, empty(), epicOptions),
  route(`GET ${children}`, childEpics.list, page(EpicWire), epicOptions),
  route(`POST ${children}`, epics.create, one(EpicWire), {
    ...extension,
    ...dateOptions,
    names: { epic_iid: 'parent' },
    hidden: ['author', 'parentId'],
  }),
  route(`POST ${children}/:child_epic_id`, childEpics.assign, one(EpicWire), childOptions),
  route(`PUT ${children}/:child_epic_id`, childEpics.reorder, page(EpicWire), childOptions),
  route(`DELETE ${children}/:child_epic_id`, childEpics.remove, one(EpicWire), childOptions),
]

import { features, type WikiAttachment, type WikiPage } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'
import { formatFileMarkdown } from '../shapes/upload.ts'

const { wikis } = features

/** A page of a wiki. */
const WikiPageWire = wire<WikiPage>('WikiPage')({
  format: v.string(),
  slug: v.string(),
  title: v.string(),
  content: v.optional(v.string()),
  front_matter: v.optional(v.record(v.string(), v.unknown())),
  /** Id of the page. */
  wiki_page_meta_id: computed(Integer, ({ id }: WikiPage) => id),
  /** Always `UTF-8`; omitted without `content`. */
  encoding: computed(v.optional(v.string()), ({ content }: WikiPage) => (content === undefined ? undefined : 'UTF-8')),
})

const AttachmentLink = v.strictObject({
  /** Path that pages link to. */
  url: v.string(),
  /** Markdown that links the file. */
  markdown: v.string(),
})

/** A file for pages of a wiki. */
const WikiAttachmentWire = wire<WikiAttachment>('WikiAttachment')({
  file_name: v.string(),
  file_path: v.string(),
  /** Always `main`: the wiki has no other branches. */
  branch: computed(v.string(), () => 'main'),
  /** Text for pages that links the file. */
  link: computed(AttachmentLink, (attachment: WikiAttachment) => ({
    url: attachment.filePath,
    markdown: formatFileMarkdown(attachment, attachment.filePath),
  })),
})

const extension = { extension: true } as const

export const wikiRoutes = [
  ...(['groups', 'projects'] as const).flatMap((base) => [
    route(`GET /${base}/:id/wikis`, wikis.list, page(WikiPageWire), extension),
    route(`POST /${base}/:id/wikis`, wikis.create, one(WikiPageWire), extension),
    route(`GET /${base}/:id/wikis/:slug`, wikis.get, one(WikiPageWire), extension),
    route(`PUT /${base}/:id/wikis/:slug`, wikis.update, one(WikiPageWire), extension),
    route(`DELETE /${base}/:id/wikis/:slug`, wikis.remove, empty(), extension),
    route(`POST /${base}/:id/wikis/attachments`, wikis.attach, one(WikiAttachmentWire), {
      ...extension,
      files: ['file'],
      hidden: ['author'],
      wireParameters: {
        branch: v.optional(v.pipe(v.string(), v.description('Branch for the file. It has no effect.'))),
      },
    }),
  ]),
]

import { features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { one } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

/** Rendered Markdown. */
const RenderedWire = wire<{ readonly html: string }>('RenderedMarkdown')({
  /** HTML without scripts and event handlers. */
  html: v.string(),
})

export const markdownRoutes = [route('POST /markdown', features.markdown.render, one(RenderedWire))]

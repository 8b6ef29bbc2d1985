import { features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { one } from '../send.ts'
import { wire } from '../wire.ts'

const RenderedWire = wire<{ readonly html: string }>()({ html: v.string() })

export const markdownRoutes = [route('POST /markdown', features.markdown.render, one(RenderedWire))]

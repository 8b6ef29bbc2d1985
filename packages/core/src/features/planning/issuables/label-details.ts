import type { Context } from '../../../kernel/context.ts'
import { getTextColor } from '../../../shared/colors.ts'
import { getLineOptions } from '../../administration/settings/image-proxy.ts'
import type { LabelDetails } from '../labels/label.ts'
import { groupById, type IssuableKind, loadLabelRows } from './relations.ts'

/** Adds the colors and descriptions of the labels to issues, merge requests or epics. */
export async function withLabelDetails<T extends { readonly id: number }>(
  ctx: Context,
  kind: IssuableKind | 'epic',
  items: readonly T[],
): Promise<(T & { labelDetails: readonly LabelDetails[] })[]> {
  const options = await getLineOptions(ctx)
  const rows = await loadLabelRows(
    ctx,
    kind,
    items.map(({ id }) => id),
  )
  const labelsOf = groupById(
    rows.map(({ itemId, ...label }) => ({
      id: itemId,
      value: {
        ...label,
        textColor: getTextColor(label.color),
        descriptionHtml: label.description ? ctx.ports.markdown.line(label.description, options) : '',
      },
    })),
  )
  return items.map((item) => ({ ...item, labelDetails: labelsOf.get(item.id) ?? [] }))
}

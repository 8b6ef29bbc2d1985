import type { Node, Pair } from 'yaml'

type Counted = Node | Pair | null | unknown

/**
 * The number of keys and values of a document in which each use of an anchor counts as its content: a small file must not become
 * a huge object. Merge keys copy their content when the document is converted.
 */
export const countValues = (document: Counted): number => {
  const anchors = new Map<string, number>()
  const count = (node: Counted): number => {
    if (typeof node !== 'object' || node === null) return 1
    if ('source' in node && !('items' in node) && !('value' in node)) return anchors.get(String(node.source)) ?? 1
    if ('key' in node) return count(node.key) + ('value' in node ? count(node.value) : 0)
    let values = 1
    if ('items' in node && Array.isArray(node.items)) for (const item of node.items) values += count(item)
    if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, values)
    return values
  }
  return count(document)
}

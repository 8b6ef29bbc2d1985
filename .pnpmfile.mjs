/** Packages are published without the condition `source`, which refers to files that only the workspace has. */
export const hooks = {
  beforePacking(manifest) {
    const exports = Object.entries(manifest.exports).map(([entry, target]) => {
      if (typeof target === 'string') return [entry, target]
      const { source: _, ...conditions } = target
      return [entry, conditions]
    })
    return { ...manifest, exports: Object.fromEntries(exports) }
  },
}

declare module 'parse-prometheus-text-format' {
  interface Metric {
    readonly labels?: Readonly<Record<string, string>>
    readonly value?: string
    readonly buckets?: Readonly<Record<string, string>>
  }

  export default function parse(
    text: string,
  ): { readonly name: string; readonly help: string; readonly type: string; readonly metrics: readonly Metric[] }[]
}

import { NullableText } from '../reply/field-types.ts'
import { computed, type Site } from '../reply/wire.ts'

/** URL of the picture: of this site for an uploaded picture, otherwise as it was set. */
export const avatarUrlField = computed(
  NullableText,
  ({ avatarUrl }: { readonly avatarUrl: string | null }, { url }: Site) =>
    avatarUrl?.startsWith('/uploads/') ? `${url}${avatarUrl}` : avatarUrl,
)

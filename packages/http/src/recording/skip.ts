/** Reports a request or an object that the seed does not contain, with the reason. */
export type Skip = (item: string, reason: string) => void

/** Username of the author of content whose author is not in the recording. */
export const removedAuthor = 'ghost'

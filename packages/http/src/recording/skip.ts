/** Reports a request or an object that the seed does not contain, with the reason. */
export type Skip = (item: string, reason: string) => void

/** Username of the author of content without a recorded author. */
export const removedAuthor = 'ghost'

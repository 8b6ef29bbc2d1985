const maxLength = 256

export const userIdsProblem = `must be a string of unique comma separated values each ${maxLength} characters or less`

/** Whether a text is a list of different ids of users, separated by commas without blanks around them. It can be empty. */
export const areUserIds = (text: string): boolean => {
  if (text === '') return true
  const ids = text.split(',')
  const isId = (id: string) => id !== '' && id.trim() === id && id.length <= maxLength && !/[\n\r\t]/.test(id)
  return ids.every(isId) && new Set(ids).size === ids.length
}

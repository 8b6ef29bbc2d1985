/** The answers of external services in one call, by question. */
export type Answers = Map<string, unknown>

/** Ends a transaction that needs the answer of an external service, which is asked outside of it. */
class AnswerNeeded extends Error {
  override readonly name = 'AnswerNeeded'
  readonly answer: () => Promise<unknown>

  constructor(key: string, answer: () => Promise<unknown>) {
    super(`The question ${key} has to be asked outside of a transaction`)
    this.answer = answer
  }
}

/**
 * The answer to a question, which must not depend on what the transaction has written. The first time, the transaction is rolled back,
 * the service is asked, and the transaction runs again with the answer.
 */
export const getAnswer = <T>(answers: Answers, key: string, question: () => Promise<T>): T => {
  if (answers.has(key)) return answers.get(key) as T
  throw new AnswerNeeded(key, async () => answers.set(key, await question()))
}

/** Questions of one transaction. */
const maxQuestions = 10

/** Runs a transaction, and again after each question that it asks. */
export const runWithAnswers = async <T>(transaction: () => Promise<T>): Promise<T> => {
  for (let asked = 0; ; asked++) {
    try {
      return await transaction()
    } catch (error) {
      if (!(error instanceof AnswerNeeded) || asked === maxQuestions) throw error
      await error.answer()
    }
  }
}

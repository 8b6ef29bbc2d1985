import fc from 'fast-check'

// The first counterexample detects a mutant; the search for a smaller one takes seconds.
fc.configureGlobal({ endOnFailure: true })

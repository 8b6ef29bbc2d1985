import { writeReports } from './pages.ts'

writeReports()

import { speak } from './speak.ts'

await speak('en')

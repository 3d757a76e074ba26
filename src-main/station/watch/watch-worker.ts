/** The entry point of the thread that watches a folder. */
import { startWatchThread } from '../watch-thread.ts'

startWatchThread()

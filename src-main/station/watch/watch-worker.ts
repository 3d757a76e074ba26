/** The program of the thread that watches a folder. */
import { startWatchThread } from '../start-watch-thread.ts'

startWatchThread()

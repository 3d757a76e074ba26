/** Tells a person why this start ends, where the first instance cannot show itself instead. */
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { systemClock } from '../station/system-clock.ts'
import { openLanguageSetting } from './host-speech.ts'
import { openLogFile } from './log-file.ts'
import { describeSecondStart, type ReportedStart } from './second-start-sentence.ts'

/** After Electron is ready: before that, Linux shows no dialog. */
export async function showSecondStart(why: ReportedStart, language: string | null): Promise<void> {
  const folder = app.getPath('userData')
  // Beside the lock that is told of: the station's own log is the first instance's.
  const logger = openLogFile(join(folder, 'second-starts'), systemClock)
  logger.warn('not started, because another instance has the lock', { why: why.kind })
  const setting = await openLanguageSetting({
    path: join(folder, 'language.json'),
    requested: language,
    system: app.getPreferredSystemLanguages(),
    logger,
  })
  dialog.showErrorBox('Fundus Courier', describeSecondStart(why, setting.texts()))
}

/** The words of the screens that are fetched when they are first looked at, in Spanish. */
import activity from '../../src-shared/texts/es/activity.json' with { type: 'json' }
import cases from '../../src-shared/texts/es/case.json' with { type: 'json' }
import delivery from '../../src-shared/texts/es/delivery.json' with { type: 'json' }
import editor from '../../src-shared/texts/es/editor.json' with { type: 'json' }
import help from '../../src-shared/texts/es/help.json' with { type: 'json' }
import measure from '../../src-shared/texts/es/measure.json' with { type: 'json' }
import report from '../../src-shared/texts/es/report.json' with { type: 'json' }
import settings from '../../src-shared/texts/es/settings.json' with { type: 'json' }
import setup from '../../src-shared/texts/es/setup.json' with { type: 'json' }
import submission from '../../src-shared/texts/es/submission.json' with { type: 'json' }
import viewer from '../../src-shared/texts/es/viewer.json' with { type: 'json' }
import type { RestWords } from './english-rest.ts'

export const spanishRest: RestWords = {
  activity,
  case: cases,
  delivery,
  editor,
  help,
  measure,
  report,
  settings,
  setup,
  submission,
  viewer,
}

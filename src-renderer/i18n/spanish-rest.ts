/** The words of the screens that are fetched when they are first looked at, in Spanish. */
import activity from '../words/es/activity.json' with { type: 'json' }
import cases from '../words/es/case.json' with { type: 'json' }
import delivery from '../words/es/delivery.json' with { type: 'json' }
import editor from '../words/es/editor.json' with { type: 'json' }
import help from '../words/es/help.json' with { type: 'json' }
import measure from '../words/es/measure.json' with { type: 'json' }
import report from '../words/es/report.json' with { type: 'json' }
import settings from '../words/es/settings.json' with { type: 'json' }
import setup from '../words/es/setup.json' with { type: 'json' }
import submission from '../words/es/submission.json' with { type: 'json' }
import viewer from '../words/es/viewer.json' with { type: 'json' }
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

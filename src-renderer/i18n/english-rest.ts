/** The words of the screens that are fetched when they are first looked at, in English. */
import activity from '../words/en/activity.json' with { type: 'json' }
import cases from '../words/en/case.json' with { type: 'json' }
import delivery from '../words/en/delivery.json' with { type: 'json' }
import editor from '../words/en/editor.json' with { type: 'json' }
import help from '../words/en/help.json' with { type: 'json' }
import measure from '../words/en/measure.json' with { type: 'json' }
import report from '../words/en/report.json' with { type: 'json' }
import settings from '../words/en/settings.json' with { type: 'json' }
import setup from '../words/en/setup.json' with { type: 'json' }
import submission from '../words/en/submission.json' with { type: 'json' }
import viewer from '../words/en/viewer.json' with { type: 'json' }

export const englishRest = {
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

export type RestWords = typeof englishRest

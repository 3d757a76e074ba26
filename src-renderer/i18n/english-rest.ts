/** The words of the screens that are fetched when they are first looked at, in English. */
import activity from '../../src-shared/texts/en/activity.json' with { type: 'json' }
import cases from '../../src-shared/texts/en/case.json' with { type: 'json' }
import delivery from '../../src-shared/texts/en/delivery.json' with { type: 'json' }
import editor from '../../src-shared/texts/en/editor.json' with { type: 'json' }
import help from '../../src-shared/texts/en/help.json' with { type: 'json' }
import measure from '../../src-shared/texts/en/measure.json' with { type: 'json' }
import report from '../../src-shared/texts/en/report.json' with { type: 'json' }
import settings from '../../src-shared/texts/en/settings.json' with { type: 'json' }
import setup from '../../src-shared/texts/en/setup.json' with { type: 'json' }
import submission from '../../src-shared/texts/en/submission.json' with { type: 'json' }
import viewer from '../../src-shared/texts/en/viewer.json' with { type: 'json' }

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

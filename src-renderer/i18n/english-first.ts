/** The words of the frame and of the queue, which stand on the first page, in English. */
import ageing from '../../src-shared/texts/en/ageing.json' with { type: 'json' }
import alarm from '../../src-shared/texts/en/alarm.json' with { type: 'json' }
import decision from '../../src-shared/texts/en/decision.json' with { type: 'json' }
import field from '../../src-shared/texts/en/field.json' with { type: 'json' }
import link from '../../src-shared/texts/en/link.json' with { type: 'json' }
import newCase from '../../src-shared/texts/en/newCase.json' with { type: 'json' }
import part from '../../src-shared/texts/en/part.json' with { type: 'json' }
import privacy from '../../src-shared/texts/en/privacy.json' with { type: 'json' }
import queue from '../../src-shared/texts/en/queue.json' with { type: 'json' }
import shell from '../../src-shared/texts/en/shell.json' with { type: 'json' }
import state from '../../src-shared/texts/en/state.json' with { type: 'json' }

export const englishFirst = {
  ageing,
  alarm,
  decision,
  field,
  link,
  newCase,
  part,
  privacy,
  queue,
  shell,
  state,
}

export type FirstWords = typeof englishFirst

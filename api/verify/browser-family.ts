/** The browsers in which a blocked camera is allowed by different steps. */
export const browserFamilies = [
  ...(['in_app', 'safari_ios', 'other_ios', 'safari', 'firefox_android', 'firefox'] as const),
  ...(['samsung', 'chrome_android', 'chrome', 'other'] as const),
] as const;
export type BrowserFamily = (typeof browserFamilies)[number];

/** The first rule that fits counts, because most browsers also name those that they descend from. */
const rules: readonly [BrowserFamily, (agent: string) => boolean][] = [
  ['in_app', isInApp],
  [
    'other_ios',
    (agent) => isIos(agent) && ['CriOS', 'FxiOS', 'EdgiOS', 'OPiOS'].some((name) => agent.includes(name)),
  ],
  ['safari_ios', isIos],
  ['samsung', (agent) => agent.includes('SamsungBrowser/')],
  ['firefox_android', (agent) => agent.includes('Firefox/') && agent.includes('Android')],
  ['firefox', (agent) => agent.includes('Firefox/')],
  ['chrome_android', (agent) => agent.includes('Chrome/') && agent.includes('Android')],
  ['chrome', (agent) => agent.includes('Chrome/')],
  ['safari', (agent) => agent.includes('Macintosh') && agent.includes('Safari/')],
];

/** What apps write into the header of the browser that they contain. */
const apps = [
  ...['FBAN/', 'FBAV/', 'Instagram ', 'LinkedInApp', 'Snapchat/', 'Pinterest/', 'musical_ly', 'GSA/'],
  ...[' Line/', 'MicroMessenger/', 'BytedanceWebview/'],
];

/**
 * Inside an app there is no address bar, so no sign beside the address allows the camera. Android adds `wv`. Apple leaves out `Safari/`,
 * which all browsers there have. An app that shows the browser of the phone looks like that browser, and the camera works in it.
 */
function isInApp(agent: string): boolean {
  const isApple = isIos(agent) || agent.includes('Macintosh');
  return (
    agent.includes('; wv)') ||
    (isApple && agent.includes('AppleWebKit/') && !agent.includes('Safari/')) ||
    apps.some((app) => agent.includes(app))
  );
}

function isIos(agent: string): boolean {
  return agent.includes('iPhone') || agent.includes('iPad') || agent.includes('iPod');
}

/** A guess by the header `User-Agent`, for words on the page alone. */
export const browserFamilyOf = (userAgent: string): BrowserFamily =>
  rules.find(([, fits]) => fits(userAgent))?.[0] ?? 'other';

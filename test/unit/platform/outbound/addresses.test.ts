import { describe, expect, test } from 'vitest';
import { addressRules, isAllowedUrl, isPublic, mayRegister } from '#platform/outbound/addresses.ts';
import { covers } from '#test/requirements.ts';

const production = addressRules([]);
const allows = (url: string, rules = production) => mayRegister(url, rules);

describe('a webhook url is allowed', () => {
  test.each([
    'https://partner.example',
    'https://partner.example/',
    'https://partner.example/hook?tenant=7&x=%20',
    'https://partner.example:443/',
    'https://partner.example:1024/',
    'https://partner.example:8443/',
    'https://partner.example:65535/',
    'https://partner.example?tenant=7',
    'https://partner.example/?',
    'https://PARTNER.Example/hook',
    'HTTPS://partner.example/hook',
    'https://PARTNER.example:443',
    'https://xn--mnchen-3ya.example/hook',
    'https://XN--MNCHEN-3YA.example/hook',
    'https://partner.example/%7Euser/a%2Fb/..a/.b./c%20d/%c3%a9?q=%2e%2e/../&e=a\\b|',
    'https://partner.example//hook/',
    "https://partner.example/a;b=c,d!$&'()*+@:~",
    'https://a-b.c_d.partner.example/hook',
    'https://local.example/hook',
    'https://test.partner.example/hook',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://[2606:4700:4700::1111]:8443/hook',
  ])('%s', (url) => {
    expect(allows(url)).toBe(true);
  });

  test('up to 2,048 characters', () => {
    const url = (length: number) => 'https://partner.example/'.padEnd(length, 'a');
    expect(allows(url(2_048))).toBe(true);
    expect(allows(url(2_049))).toBe(false);
  });
});

describe('a webhook url is refused', () => {
  covers('4.1/webhook-url');

  test.each([
    [
      'another protocol',
      ['http://partner.example', 'ftp://partner.example', 'wss://partner.example', 'javascript:alert(1)'],
    ],
    ['no url', ['', 'partner.example', '/hook', '//partner.example', 'https://', 'https:///', 'https://?x']],
    [
      'loopback',
      [
        'https://127.0.0.1',
        'https://127.255.255.254',
        'https://[::1]',
        'https://localhost',
        'https://localhost.',
        'https://LOCALHOST:8443',
      ],
    ],
    [
      'loopback in odd spellings',
      [
        'https://0x7f.1',
        'https://2130706433',
        'https://0177.0.0.1',
        'https://127.1',
        'https://0x7f000001',
        'https://017700000001',
        'https://127.0.0.1.',
        'https://①②⑦.0.0.1',
        'https://127。0。0。1',
        'https://%31%32%37.0.0.1',
      ],
    ],
    [
      'IPv4 within IPv6',
      [
        'https://[::ffff:10.0.0.1]',
        'https://[::ffff:7f00:1]',
        'https://[::127.0.0.1]',
        'https://[::ffff:0:127.0.0.1]',
        'https://[64:ff9b::7f00:1]',
        'https://[2002:7f00:1::]',
        'https://[2001:0:7f00:1::]',
        'https://[::ffff:8.8.8.8]',
      ],
    ],
    [
      'private IPv4',
      [
        'https://10.0.0.1',
        'https://172.16.0.1',
        'https://172.31.255.255',
        'https://192.168.1.1',
        'https://100.64.0.1',
        'https://169.254.169.254',
        'https://0.0.0.0',
        'https://198.18.0.1',
        'https://192.0.0.1',
        'https://192.0.2.1',
        'https://198.51.100.1',
        'https://203.0.113.1',
        'https://192.88.99.1',
        'https://224.0.0.1',
        'https://240.0.0.1',
        'https://255.255.255.255',
        'https://168.63.129.16',
      ],
    ],
    [
      'private IPv6',
      [
        'https://[::]',
        'https://[fc00::1]',
        'https://[fd12::1]',
        'https://[fe80::1]',
        'https://[fec0::1]',
        'https://[ff02::1]',
        'https://[100::1]',
        'https://[2001:db8::1]',
        'https://[3fff::1]',
        'https://[5f00::1]',
      ],
    ],
    ['a single label', ['https://partner', 'https://intranet/hook', 'https://partner./hook']],
    [
      'private names',
      [
        'https://printer.local',
        'https://db.internal',
        'https://metadata.google.internal',
        'https://app.localhost',
        'https://partner.test',
        'https://partner.invalid',
        'https://printer.LOCAL',
        'https://printer.local.',
      ],
    ],
    [
      'malformed names',
      [
        'https://partner..example',
        'https://.example',
        'https://partner.example..',
        `https://${'a'.repeat(64)}.example`,
        `https://${'a.'.repeat(130)}example`,
        'https://partner.example%00',
        'https://par tner.example',
        'https://*.partner.example',
      ],
    ],
    [
      'ports',
      [
        'https://partner.example:0',
        'https://partner.example:22',
        'https://partner.example:80',
        'https://partner.example:442',
        'https://partner.example:444',
        'https://partner.example:1023',
        'https://partner.example:65536',
        'https://partner.example:-1',
        'https://partner.example:x',
      ],
    ],
    [
      'userinfo',
      [
        'https://user@partner.example',
        'https://user:secret@partner.example',
        'https://:secret@partner.example',
        'https://partner.example@10.0.0.1',
      ],
    ],
    [
      'a final dot',
      [
        'https://partner.example./hook',
        'https://partner.example.',
        'https://8.8.8.8.',
        'https://partner.example.:8443/',
      ],
    ],
    [
      'a host that is called otherwise than it is written',
      [
        'https://münchen.example/hook',
        'https://faß.example',
        'https://partner。example',
        'https://partner．example',
        'https://ｐａｒｔｎｅｒ.example',
        'https://partner.exam\u212ale',
        'https://partner.example\u00ad.com',
        'https://ex%61mple.com/h',
        'https://partner%2Eexample',
        'https://8.8.2056',
        'https://0x8.8.8.8',
        'https://010.8.8.8',
        'https://134744072',
        'https://8.8.8.010',
        'https://[2606:4700:4700:0:0:0:0:1111]',
        'https://[2606:4700:4700::0.0.17.17]',
        'https://partner.example:',
        'https://partner.example:0443',
        'https://partner.example:08443',
      ],
    ],
    [
      'an authority that is not there',
      [
        'https:partner.example/h',
        'https:/partner.example/h',
        'https:///partner.example/h',
        'https:\\\\partner.example/h',
        'https:/\\partner.example',
        'https://@partner.example/h',
        'https://:@partner.example/h',
        'https://partner.example\\@evil.example/h',
        'https://partner.example\\.evil.example',
      ],
    ],
    [
      'a path that is called otherwise than it is written',
      [
        'https://partner.example/a/../b',
        'https://partner.example/..',
        'https://partner.example/./a',
        'https://partner.example/a/.',
        'https://partner.example/a/%2e%2E/b',
        'https://partner.example/.%2e/b',
        'https://partner.example/a\\b',
        'https://partner.example/é',
        'https://partner.example/{tenant}',
        'https://partner.example/"a"',
        'https://partner.example/<a>',
        'https://partner.example/`a`',
        "https://partner.example/?a='b'",
        'https://partner.example/?q="é"',
      ],
    ],
    [
      'a fragment',
      ['https://partner.example#', 'https://partner.example/#x', 'https://partner.example/hook?x#y'],
    ],
    [
      'white space and control characters',
      [
        'https://partner.example/\thook',
        'https://part\tner.example',
        '\thttps://partner.example',
        'https://partner.example\n',
        ' https://partner.example',
        'https://partner.example/a b',
        'https://partner.example/\u0000',
        'https://partner.example/\u007f',
        'https://partner.example/\u2028',
      ],
    ],
  ])('for %s', (_, urls) => {
    expect(urls.filter((url) => allows(url))).toEqual([]);
  });
});

describe('allowed private addresses', () => {
  const rules = addressRules([
    { address: '127.0.0.0', prefixLength: 8 },
    { address: 'fd00::', prefixLength: 8 },
  ]);

  test.each(['https://127.0.0.1:8443/hook', 'https://localhost:8443/hook', 'https://[fd12::1]:8443'])(
    'may be named: %s',
    (url) => {
      expect(allows(url, rules)).toBe(true);
    },
  );

  test.each([
    'https://10.0.0.1',
    'https://[::1]',
    'https://127.0.0.1:22',
    'http://127.0.0.1:8443',
    'https://0x7f.1:8443',
    'https://localhost.:8443',
    'https://app.localhost:8443',
  ])('open no other door: %s', (url) => {
    expect(allows(url, rules)).toBe(false);
  });

  test('can be one port of one address', () => {
    const onePort = addressRules([], (address, port) => address === '127.0.0.1' && port === 8443);
    expect(allows('https://localhost:8443', onePort)).toBe(true);
    expect(allows('https://localhost:8444', onePort)).toBe(false);
  });

  test('leave the public internet open', () => {
    expect(rules.mayReach('8.8.8.8', 443)).toBe(true);
    expect(rules.mayReach('2606:4700:4700::1111', 443)).toBe(true);
  });
});

test('an address that was registered before its spelling counted is called as ever', () => {
  for (const url of [
    'https://partner.example./hook',
    'https://münchen.example',
    'https://partner.example/a/../b',
  ])
    expect([isAllowedUrl(url, production), mayRegister(url, production)]).toEqual([true, false]);
});

test.each(['partner.example', '', '8.8.8', '8.8.8.8:443', '08.8.8.8'])('%j is no public address', (text) => {
  expect(isPublic(text)).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { addressRules, isAllowedUrl, isPublic } from '#platform/addresses.ts';
import { covers } from '#test/requirements.ts';

const production = addressRules([]);
const allows = (url: string, rules = production) => isAllowedUrl(url, rules);

describe('a webhook url is allowed', () => {
  test.each([
    'https://partner.example',
    'https://partner.example/',
    'https://partner.example/hook?tenant=7&x=%20',
    'https://partner.example:443/',
    'https://partner.example:1024/',
    'https://partner.example:8443/',
    'https://partner.example:65535/',
    'https://partner.example./hook',
    'https://PARTNER.Example/hook',
    'HTTPS://partner.example/hook',
    'https://münchen.example/hook',
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

  test.each([
    'https://127.0.0.1:8443/hook',
    'https://localhost:8443/hook',
    'https://0x7f.1:8443',
    'https://[fd12::1]:8443',
  ])('may be named: %s', (url) => {
    expect(allows(url, rules)).toBe(true);
  });

  test.each([
    'https://10.0.0.1',
    'https://[::1]',
    'https://127.0.0.1:22',
    'http://127.0.0.1:8443',
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

test.each(['partner.example', '', '8.8.8', '8.8.8.8:443', '08.8.8.8'])('%j is no public address', (text) => {
  expect(isPublic(text)).toBe(false);
});

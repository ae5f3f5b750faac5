package com.example.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Of a view that takes as long as a database elsewhere does. */
@Entity
public class Author {
  @Id
  private int id;
  private String name;

  public String getName() {
    return name;
  }
}

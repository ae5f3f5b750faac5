package com.example.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

@Entity
public class Book {
  @Id
  private int id;
  private String title;

  @ManyToOne(fetch = FetchType.LAZY)
  private Author author;

  public String getTitle() {
    return title;
  }

  public Author getAuthor() {
    return author;
  }
}
